import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** Prints, for each schema of a file, what Avro's Java library makes of it: canonical form, CRC-64-AVRO. */
public class Answers {
  public static void main(String[] args) throws Exception {
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      Schema schema = new Schema.Parser().parse(line);
      System.out.println(SchemaNormalization.toParsingForm(schema));
      StringBuilder digits = new StringBuilder();
      for (byte b : SchemaNormalization.parsingFingerprint("CRC-64-AVRO", schema)) {
        digits.append(String.format("%02x", b));
      }
      System.out.println(digits);
    }
  }
}
