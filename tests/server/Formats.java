import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.*;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.compress.*;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Holds the file formats of format_files.cc against Hadoop's own classes.
 * Argument: the folder that it wrote. Every file in FOLDER/ours has to hold the records of FOLDER/records.txt, as Hadoop reads
 * it; then FOLDER/hadoop gets the same records as Hadoop writes them. Hadoop has zstd only in its native library, which is not
 * here: its frames are read and written by zstd-jni, inside a SequenceFile they are left out.
 */
public class Formats {
  record Entry(long key, byte[] body) {}

  static final Configuration CONF = new Configuration();
  static final List<Entry> RECORDS = new ArrayList<>();
  static byte[] lines;

  public static void main(String[] args) throws Exception {
    File folder = new File(args[0]);
    CONF.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    readRecords(new File(folder, "records.txt"));
    int read = 0, left = 0;
    for (File file : Objects.requireNonNull(new File(folder, "ours").listFiles())) {
      if (file.getName().endsWith(".seq") && file.getName().contains("ZStandard")) {
        left++;
        continue;
      }
      if (!holdsTheRecords(file)) {
        System.out.println(file + ": other records");
        System.exit(1);
      }
      read++;
    }
    File written = new File(folder, "hadoop");
    written.mkdirs();
    int count = writeAll(written);
    System.out.println(read + " files read, " + left + " left out, " + count + " written");
    System.exit(read > 30 ? 0 : 1);
  }

  static void readRecords(File file) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String line : Files.readAllLines(file.toPath())) {
      int blank = line.indexOf(' ');
      byte[] body = HexFormat.of().parseHex(line.substring(blank + 1));
      RECORDS.add(new Entry(Long.parseLong(line.substring(0, blank)), body));
      all.write(body);
      all.write('\n');
    }
    lines = all.toByteArray();
  }

  static boolean holdsTheRecords(File file) throws Exception {
    if (file.getName().endsWith(".seq")) return holdsTheSequence(file);
    try (InputStream in = open(file)) {
      return Arrays.equals(in.readAllBytes(), lines);
    }
  }

  static boolean isZstd(String name) { return name.endsWith(".zst"); }

  static InputStream open(File file) throws IOException {
    InputStream raw = new BufferedInputStream(new FileInputStream(file));
    if (isZstd(file.getName())) return new com.github.luben.zstd.ZstdInputStream(raw);
    return new CompressionCodecFactory(CONF).getCodec(new Path(file.getName())).createInputStream(raw);
  }

  static boolean holdsTheSequence(File file) throws Exception {
    try (SequenceFile.Reader reader = new SequenceFile.Reader(CONF, SequenceFile.Reader.file(new Path(file.toURI())))) {
      LongWritable key = new LongWritable();
      BinaryComparable value = (BinaryComparable) ReflectionUtils.newInstance(reader.getValueClass(), CONF);
      int at = 0;
      for (; reader.next(key, (Writable) value); at++) {
        Entry expected = RECORDS.get(at);
        byte[] body = Arrays.copyOf(value.getBytes(), value.getLength());
        if (key.get() != expected.key() || !Arrays.equals(body, expected.body())) return false;
      }
      return at == RECORDS.size();
    }
  }

  static int writeAll(File folder) throws Exception {
    int count = 0;
    for (String format : List.of("Writable", "Text")) {
      writeSequence(folder, CompressionType.NONE, null, format);
      count++;
      for (CompressionType type : List.of(CompressionType.RECORD, CompressionType.BLOCK)) {
        // Hadoop refuses to write gzip in a SequenceFile without its native library.
        for (String codec : List.of("Default", "Deflate", "BZip2", "Snappy", "Lz4")) {
          writeSequence(folder, type, codec, format);
          count++;
        }
      }
    }
    for (String codec : List.of("Default", "Deflate", "Gzip", "BZip2", "Snappy", "Lz4", "ZStandard")) {
      writeStream(folder, codec);
      count++;
    }
    return count;
  }

  static CompressionCodec codec(String name) throws Exception {
    return (CompressionCodec) ReflectionUtils.newInstance(Class.forName("org.apache.hadoop.io.compress." + name + "Codec"), CONF);
  }

  static void writeSequence(File folder, CompressionType type, String codec, String format) throws Exception {
    String name = type.name().toLowerCase(Locale.ROOT) + "-" + (codec == null ? "None" : codec) + "-" + format + ".seq";
    boolean text = format.equals("Text");
    try (SequenceFile.Writer writer = SequenceFile.createWriter(CONF,
        SequenceFile.Writer.file(new Path(new File(folder, name).toURI())), SequenceFile.Writer.keyClass(LongWritable.class),
        SequenceFile.Writer.valueClass(text ? Text.class : BytesWritable.class),
        codec == null ? SequenceFile.Writer.compression(type) : SequenceFile.Writer.compression(type, codec(codec)))) {
      int count = 0;
      for (Entry entry : RECORDS) {
        writer.append(new LongWritable(entry.key()), text ? new Text(entry.body()) : new BytesWritable(entry.body()));
        if (++count % (RECORDS.size() / 5) == 0) writer.sync();
      }
    }
  }

  /** As Flume's sink does it: a member for each flush. */
  static void writeStream(File folder, String codec) throws Exception {
    if (codec.equals("ZStandard")) {
      try (OutputStream out = new com.github.luben.zstd.ZstdOutputStream(new FileOutputStream(new File(folder, codec + ".zst")))) {
        out.write(lines);
      }
      return;
    }
    CompressionCodec made = codec(codec);
    try (OutputStream file = new FileOutputStream(new File(folder, codec + made.getDefaultExtension()))) {
      CompressionOutputStream out = made.createOutputStream(file);
      int count = 0;
      boolean finished = false;
      for (Entry entry : RECORDS) {
        if (finished) out.resetState();
        finished = false;
        out.write(entry.body());
        out.write('\n');
        if (++count % (RECORDS.size() / 5) == 0) {
          out.finish();
          finished = true;
        }
      }
    }
  }
}
