import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.util.RandomData;
import org.apache.flume.Context;
import org.apache.flume.Event;
import org.apache.flume.serialization.AvroEventDeserializer;
import org.apache.flume.serialization.DurablePositionTracker;
import org.apache.flume.serialization.EventDeserializer;
import org.apache.flume.serialization.PositionTracker;
import org.apache.flume.serialization.ResettableFileInputStream;

/** Writes types-CODEC.avro into a folder, and what Flume's deserializer makes of each: body, and the tracker's offset. */
public class AvroGolden {
  static final String SCHEMA = "{\"type\":\"record\",\"name\":\"Types\",\"namespace\":\"golden\",\"fields\":["
      + "{\"name\":\"b\",\"type\":\"boolean\"},{\"name\":\"i\",\"type\":\"int\"},{\"name\":\"l\",\"type\":\"long\"},"
      + "{\"name\":\"f\",\"type\":\"float\"},{\"name\":\"d\",\"type\":\"double\"},{\"name\":\"s\",\"type\":\"string\"},"
      + "{\"name\":\"y\",\"type\":\"bytes\"},{\"name\":\"n\",\"type\":\"null\"},"
      + "{\"name\":\"x\",\"type\":{\"type\":\"fixed\",\"name\":\"Fixed\",\"size\":5}},"
      + "{\"name\":\"e\",\"type\":{\"type\":\"enum\",\"name\":\"Enum\",\"symbols\":[\"A\",\"B\",\"C\"]}},"
      + "{\"name\":\"a\",\"type\":{\"type\":\"array\",\"items\":\"long\"}},"
      + "{\"name\":\"u\",\"type\":[\"null\",\"Fixed\",\"int\"]}]}";

  public static void main(String[] args) throws Exception {
    Schema schema = new Schema.Parser().parse(SCHEMA);
    for (String codec : List.of("null", "deflate", "snappy")) {
      Path file = Path.of(args[0], "types-" + codec + ".avro");
      write(schema, codec, file);
      read(file, Path.of(args[0], "types-" + codec + ".events"));
    }
  }

  static void write(Schema schema, String codec, Path file) throws Exception {
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.setCodec(CodecFactory.fromString(codec)).setSyncInterval(400);
      writer.create(schema, Files.newOutputStream(file), "golden-sync-mark".getBytes());
      for (Object record : new RandomData(schema, 40, 7L)) {
        writer.append(record);
      }
    }
  }

  static void read(Path file, Path events) throws Exception {
    File meta = new File(file + ".meta");
    PositionTracker tracker = DurablePositionTracker.getInstance(meta, file.toString());
    EventDeserializer reader = new AvroEventDeserializer.Builder().build(
        new Context(), new ResettableFileInputStream(file.toFile(), tracker));
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(events))) {
      for (Event event = reader.readEvent(); event != null; event = reader.readEvent()) {
        reader.mark();
        StringBuilder body = new StringBuilder();
        for (byte b : event.getBody()) {
          body.append(String.format("%02x", b));
        }
        out.println(tracker.getPosition() + " " + event.getHeaders().get("flume.avro.schema.hash") + " " + body);
      }
    }
    reader.close();
    meta.delete();
  }
}
