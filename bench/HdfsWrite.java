import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.*;

/** What hdfs_write does, by Hadoop's own client. Arguments: folder, bytes, files. */
public class HdfsWrite {
  static void write(FileSystem fs, Path path, long bytes) throws Exception {
    byte[] piece = new byte[64 * 1024];
    for (int n = 0; n < piece.length; n++) piece[n] = (byte) (n * 31);
    try (FSDataOutputStream out = fs.create(path, false, 4096, (short) 1, 128L << 20)) {
      for (; bytes > 0; bytes -= Math.min(bytes, piece.length)) out.write(piece, 0, (int) Math.min(bytes, piece.length));
    }
  }

  public static void main(String[] a) throws Exception {
    FileSystem fs = FileSystem.get(new Configuration());
    OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long bytes = Long.parseLong(a[1]), begin = 0, cpu = 0;
    int files = Integer.parseInt(a[2]);
    for (int n = 0; n <= files; n++) {
      if (n == 1) { begin = System.nanoTime(); cpu = process.getProcessCpuTime(); }
      write(fs, new Path(a[0] + "/" + n), bytes);
    }
    System.out.printf("%d %.3f %.3f%n", bytes * files, (System.nanoTime() - begin) / 1e9, (process.getProcessCpuTime() - cpu) / 1e9);
  }
}
